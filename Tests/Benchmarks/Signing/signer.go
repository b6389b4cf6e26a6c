// Signs the reference request with the signer of aws-sdk-go-v2. Usage: signer standing|temporary COUNT|url
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const address = "https://media-uploads-prod.s3.eu-west-1.amazonaws.com" +
	"/users/7f3c9a52/photos/2026/11/holiday%20snap%20%281%29.jpg?X-Amz-Expires=900"

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: signer standing|temporary COUNT|url")
	}
	credentials := aws.Credentials{
		AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	if os.Args[1] == "temporary" {
		credentials.AccessKeyID = "ASIAIOSFODNN7EXAMPLE"
		credentials.SessionToken = strings.Repeat("IQoJb3JpZ2luX2Vj/+AB", 18) + "=="
	}
	moment := time.Date(2026, 11, 21, 1, 22, 33, 0, time.UTC)
	signer := v4.NewSigner(func(options *v4.SignerOptions) { options.DisableURIPathEscaping = true })
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		log.Fatal(err)
	}
	sign := func() string {
		url, _, err := signer.PresignHTTP(
			context.Background(), credentials, request, "UNSIGNED-PAYLOAD", "s3", "eu-west-1", moment)
		if err != nil {
			log.Fatal(err)
		}
		return url
	}
	if os.Args[2] == "url" {
		fmt.Println(sign())
		return
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < count; i++ {
		sign()
	}
}
