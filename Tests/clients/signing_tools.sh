#!/bin/sh
# Ordinary commands of the AWS CLI and rclone.
#
# usage: signing_tools.sh aws|aws2|rclone BUCKET, in an empty folder. The settings of the SDKs are in the environment.
set -eux
tool=$1 bucket=$2
echo hello >hello.txt
mkdir -p tree/sub
echo a >tree/a
echo b >"tree/sub/b c+d.txt"
# More than one part.
head -c 20000000 /dev/urandom >tree/big

aws_cli() {
    aws s3 ls | grep " $bucket\$"
    aws s3 cp hello.txt "s3://$bucket/aws/hello.txt"
    aws s3 ls "s3://$bucket/aws/" | grep ' 6 hello.txt$'
    aws s3 cp "s3://$bucket/aws/hello.txt" copy.txt
    cmp hello.txt copy.txt
    echo streamed | aws s3 cp - "s3://$bucket/aws/streamed"
    [ "$(aws s3 cp "s3://$bucket/aws/streamed" -)" = streamed ]
    aws s3 mv "s3://$bucket/aws/hello.txt" "s3://$bucket/aws/moved.txt"
    aws s3 ls "s3://$bucket/aws/" | grep -c hello.txt && exit 1
    aws s3 sync tree "s3://$bucket/aws/tree"
    aws s3 sync tree "s3://$bucket/aws/tree" >second
    [ ! -s second ]
    aws s3 cp "s3://$bucket/aws/tree/big" "s3://$bucket/aws/tree2/big"
    aws s3 sync "s3://$bucket/aws/tree" back
    aws s3 cp "s3://$bucket/aws/tree2/big" big
    diff -r tree back
    cmp tree/big big
    # The bucket has another region, which the responses to HEAD name.
    AWS_DEFAULT_REGION=eu-central-1 aws s3 cp "s3://$bucket/aws/moved.txt" region.txt
    cmp hello.txt region.txt
    aws s3 rm "s3://$bucket/aws/moved.txt"
    aws s3 rm --recursive "s3://$bucket/aws/"
    [ -z "$(aws s3 ls --recursive "s3://$bucket/aws/")" ]
    aws s3api put-object-acl --bucket "$bucket" --key x --acl private 2>error && exit 1
    grep NotImplemented error
}

# What version 2 does differently: it reads the tags of what it copies in parts.
aws2_cli() {
    # Debian's version predates AWS_ENDPOINT_URL.
    aws2="/usr/bin/aws --endpoint-url $AWS_ENDPOINT_URL"
    $aws2 s3 cp tree/big "s3://$bucket/aws2/big"
    $aws2 s3 cp "s3://$bucket/aws2/big" "s3://$bucket/aws2/copy/big"
    $aws2 s3 mv "s3://$bucket/aws2/copy/big" "s3://$bucket/aws2/moved/big"
    $aws2 s3 sync "s3://$bucket/aws2/moved" "s3://$bucket/aws2/synced"
    AWS_DEFAULT_REGION=eu-central-1 $aws2 s3 cp "s3://$bucket/aws2/synced/big" big
    cmp tree/big big
}

rclone_tool() {
    # The remote of the guide: an unnamed one on the command line.
    remote=":s3,provider=Other,env_auth=true,endpoint='$AWS_ENDPOINT_URL':$bucket"
    rclone --config /dev/null copy tree "$remote/rclone"
    rclone --config /dev/null check --download tree "$remote/rclone"
    rclone --config /dev/null ls "$remote/rclone" | grep 'sub/b c+d.txt'
    rclone --config /dev/null copy "$remote/rclone" "$remote/rclone2"
    rclone --config /dev/null sync "$remote/rclone2" back
    diff -r tree back
    echo hello | rclone --config /dev/null rcat "$remote/rclone/rcat"
    [ "$(rclone --config /dev/null cat "$remote/rclone/rcat")" = hello ]
    rclone --config /dev/null purge "$remote/rclone" 2>error
    grep ERROR error && exit 1
    rclone --config /dev/null backend list-multipart-uploads "$remote"
    rclone --config /dev/null cleanup "$remote" 2>error
    grep ERROR error && exit 1
    rclone --config /dev/null delete "$remote/rclone2"
    [ -z "$(rclone --config /dev/null lsf -R --files-only "$remote/rclone2")" ]
}

case $tool in
    aws) aws_cli ;;
    aws2) aws2_cli ;;
    rclone) rclone_tool ;;
esac
